import type { PasswordLink } from '@interview-prep/contracts/password-link';
import type { Role, User } from '@interview-prep/contracts/users';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const userOf = ({ user }: { user: User }) => user;

/** A new developer user. The role is always dev. */
export interface Developer {
  email: string;
  /** Empty for an invitation. */
  password: string;
  /** Slugs. */
  technologies: string[];
}

const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listUsers: build.query<User[], void>({
      query: () => '/api/users',
      transformResponse: ({ users }: { users: User[] }) => users,
      providesTags: ['Users'],
      extraOptions: { fallback: fallbacks.fetchUsers },
    }),
    registerDeveloper: build.mutation<
      User & { passwordLink?: PasswordLink },
      Omit<Developer, 'password'> & { password?: string }
    >({
      query: (developer) => ({ url: '/api/auth/register', method: 'POST', body: { ...developer, role: 'dev' } }),
      transformResponse: ({ user, passwordLink }: { user: User; passwordLink?: PasswordLink }) =>
        passwordLink ? { ...user, passwordLink } : user,
      invalidatesTags: ['Users'],
      extraOptions: { fallback: fallbacks.registerUser },
    }),
    updateUserTechnologies: build.mutation<User, { id: string; technologies: string[] }>({
      query: ({ id, technologies }) => ({ url: `/api/users/${id}`, method: 'PUT', body: { technologies } }),
      transformResponse: userOf,
      invalidatesTags: ['Users', 'Me'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    changeRole: build.mutation<User, { id: string; role: Role }>({
      query: ({ id, role }) => ({ url: `/api/users/${id}/role`, method: 'PUT', body: { role } }),
      transformResponse: userOf,
      invalidatesTags: ['Users'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    sendPasswordLink: build.mutation<{ passwordLink: PasswordLink }, string>({
      query: (id) => ({ url: `/api/users/${id}/password-link`, method: 'POST' }),
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    endSignIns: build.mutation<null, string>({
      query: (id) => ({ url: `/api/users/${id}/sign-ins`, method: 'DELETE' }),
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    resetSecondFactor: build.mutation<null, string>({
      query: (id) => ({ url: `/api/users/${id}/second-factor`, method: 'DELETE' }),
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    deleteUser: build.mutation<null, string>({
      query: (id) => ({ url: `/api/users/${id}`, method: 'DELETE' }),
      invalidatesTags: ['Users'],
      extraOptions: { fallback: fallbacks.deleteUser },
    }),
  }),
});

export const {
  useListUsersQuery,
  useRegisterDeveloperMutation,
  useUpdateUserTechnologiesMutation,
  useChangeRoleMutation,
  useSendPasswordLinkMutation,
  useEndSignInsMutation,
  useResetSecondFactorMutation,
  useDeleteUserMutation,
} = usersApi;
