import { api } from './base-api.ts';
import { endpoint, failed } from './route-request.ts';

const changes = { invalidatesTags: ['Groups' as const] };

/** Groups and their people. Every change reloads the lists. */
const groupsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listGroups: build.query({
      ...endpoint('listGroups', 'groups'),
      providesTags: ['Groups'],
      ...failed('fetch groups'),
    }),
    getGroup: build.query({ ...endpoint('getGroup', 'group'), providesTags: ['Groups'], ...failed('fetch the group') }),
    createGroup: build.mutation({ ...endpoint('createGroup', 'group'), ...changes, ...failed('create the group') }),
    updateGroup: build.mutation({ ...endpoint('updateGroup', 'group'), ...changes, ...failed('change the group') }),
    setGroupRole: build.mutation({ ...endpoint('setGroupRole', 'group'), ...changes, ...failed('change the person') }),
    leaveGroup: build.mutation({ ...endpoint('leaveGroup'), ...changes, ...failed('remove the person') }),
    invite: build.mutation({ ...endpoint('invite'), ...changes, ...failed('send the invitations') }),
    messageGroup: build.mutation({ ...endpoint('messageGroup'), ...failed('send the email') }),
    revokeInvitation: build.mutation({
      ...endpoint('revokeInvitation'),
      ...changes,
      ...failed('revoke the invitation'),
    }),
    openJoinCode: build.mutation({ ...endpoint('openJoinCode', 'group'), ...changes, ...failed('create a code') }),
    closeJoinCode: build.mutation({ ...endpoint('closeJoinCode'), ...changes, ...failed('revoke the code') }),
    previewGroup: build.query({
      ...endpoint('previewGroup'),
      keepUnusedDataFor: 0,
      extraOptions: { fallback: 'Failed to read the invitation', anonymous: true },
    }),
    joinGroup: build.mutation({ ...endpoint('joinGroup'), ...changes, ...failed('join the group') }),
    acceptInvitation: build.mutation({
      ...endpoint('acceptInvitation'),
      extraOptions: { fallback: 'Failed to join the group', anonymous: true },
    }),
    requestInvitation: build.mutation({
      ...endpoint('requestInvitation'),
      extraOptions: { fallback: 'Failed to send the mail', anonymous: true },
    }),
    /** The first sign-in, right after a new user has chosen a password. */
    firstSignIn: build.mutation({ ...endpoint('login'), extraOptions: { anonymous: true } }),
  }),
});

export const {
  useListGroupsQuery,
  useGetGroupQuery,
  useCreateGroupMutation,
  useUpdateGroupMutation,
  useSetGroupRoleMutation,
  useLeaveGroupMutation,
  useInviteMutation,
  useMessageGroupMutation,
  useRevokeInvitationMutation,
  useOpenJoinCodeMutation,
  useCloseJoinCodeMutation,
  usePreviewGroupQuery,
  useJoinGroupMutation,
  useAcceptInvitationMutation,
  useRequestInvitationMutation,
  useFirstSignInMutation,
} = groupsApi;
