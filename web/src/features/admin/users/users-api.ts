import { api } from '../../../lib/api/base-api.ts';
import { editEndpoint, endpoint } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

const extraOptions = { fallback: fallbacks.updateUser };

const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    listUsers: build.query({
      ...endpoint('listUsers', 'users'),
      providesTags: ['Users'],
      extraOptions: { fallback: fallbacks.fetchUsers },
    }),
    createUser: build.mutation({
      ...endpoint('createUser'),
      invalidatesTags: ['Users'],
      extraOptions: { fallback: fallbacks.registerUser },
    }),
    suspendUser: build.mutation({ ...editEndpoint('suspendUser', 'user'), invalidatesTags: ['Users'], extraOptions }),
    changeEmail: build.mutation({ ...editEndpoint('changeEmail', 'user'), invalidatesTags: ['Users'], extraOptions }),
    changeName: build.mutation({ ...editEndpoint('changeName', 'user'), invalidatesTags: ['Users'], extraOptions }),
    updateUserTechnologies: build.mutation({
      ...editEndpoint('updateUser', 'user'),
      invalidatesTags: ['Users', 'Me'],
      extraOptions,
    }),
    changeRole: build.mutation({ ...editEndpoint('changeRole', 'user'), invalidatesTags: ['Users'], extraOptions }),
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
  useCreateUserMutation,
  useSuspendUserMutation,
  useChangeEmailMutation,
  useChangeNameMutation,
  useUpdateUserTechnologiesMutation,
  useChangeRoleMutation,
  useSendPasswordLinkMutation,
  useEndSignInsMutation,
  useResetSecondFactorMutation,
  useDeleteUserMutation,
} = usersApi;
