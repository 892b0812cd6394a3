import { api } from '../../../lib/api/base-api.ts';
import { endpoint, type RouteInput, type RouteResult, routeRequest } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

const extraOptions = { fallback: fallbacks.updateUser };

const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listUsers: build.query({
      ...endpoint('listUsers', 'users'),
      providesTags: ['Users'],
      extraOptions: { fallback: fallbacks.fetchUsers },
    }),
    registerDeveloper: build.mutation({
      query: (developer: RouteInput<'register'>) => {
        // The server ignores the role; the specification asks for it.
        const body = { ...developer, role: 'dev' };
        return routeRequest('register', body);
      },
      transformResponse: ({ user, passwordLink }: RouteResult<'register'>) => ({ ...user, passwordLink }),
      invalidatesTags: ['Users'],
      extraOptions: { fallback: fallbacks.registerUser },
    }),
    updateUserTechnologies: build.mutation({
      ...endpoint('updateUser', 'user'),
      invalidatesTags: ['Users', 'Me'],
      extraOptions,
    }),
    changeRole: build.mutation({ ...endpoint('changeRole', 'user'), invalidatesTags: ['Users'], extraOptions }),
    sendPasswordLink: build.mutation({ ...endpoint('sendPasswordLink'), extraOptions }),
    endSignIns: build.mutation({ ...endpoint('endSignIns'), extraOptions }),
    resetSecondFactor: build.mutation({ ...endpoint('resetSecondFactor'), extraOptions }),
    deleteUser: build.mutation({
      ...endpoint('deleteUser'),
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
