import type { User } from '@interview-prep/contracts/users';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const userOf = ({ user }: { user: User }) => user;

/** A new developer user. The role is always dev. */
export interface Developer {
  email: string;
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
    registerDeveloper: build.mutation<User, Developer>({
      query: (developer) => ({ url: '/api/auth/register', method: 'POST', body: { ...developer, role: 'dev' } }),
      transformResponse: userOf,
      invalidatesTags: ['Users'],
      extraOptions: { fallback: fallbacks.registerUser },
    }),
    updateUserTechnologies: build.mutation<User, { id: string; technologies: string[] }>({
      query: ({ id, technologies }) => ({ url: `/api/users/${id}`, method: 'PUT', body: { technologies } }),
      transformResponse: userOf,
      invalidatesTags: ['Users', 'Me'],
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
  useDeleteUserMutation,
} = usersApi;
