import { api } from '../../../lib/api/base-api.ts';
import { endpoint, failed } from '../../../lib/api/route-request.ts';

const changesKeys = { invalidatesTags: ['ApiKeys' as const] };
const changesWebhooks = { invalidatesTags: ['Webhooks' as const] };
const changesPlatforms = { invalidatesTags: ['LtiPlatforms' as const, 'LtiCourses' as const] };

/** API keys, webhooks and learning platforms: how other systems read and change data and receive events. */
const integrationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    apiKeys: build.query({
      ...endpoint('listApiKeys', 'keys'),
      providesTags: ['ApiKeys'],
      ...failed('fetch the API keys'),
    }),
    createApiKey: build.mutation({ ...endpoint('createApiKey'), ...changesKeys, ...failed('create the key') }),
    revokeApiKey: build.mutation({ ...endpoint('revokeApiKey'), ...changesKeys, ...failed('revoke the key') }),
    webhooks: build.query({
      ...endpoint('listWebhooks', 'webhooks'),
      providesTags: ['Webhooks'],
      ...failed('fetch the webhooks'),
    }),
    createWebhook: build.mutation({
      ...endpoint('createWebhook'),
      ...changesWebhooks,
      ...failed('create the webhook'),
    }),
    deleteWebhook: build.mutation({
      ...endpoint('deleteWebhook'),
      ...changesWebhooks,
      ...failed('delete the webhook'),
    }),
    deliveries: build.query({
      ...endpoint('listDeliveries', 'deliveries'),
      providesTags: ['Webhooks'],
      ...failed('fetch the messages'),
    }),
    redeliver: build.mutation({
      ...endpoint('redeliver', 'delivery'),
      ...changesWebhooks,
      ...failed('send the message'),
    }),
    platforms: build.query({
      ...endpoint('listLtiPlatforms'),
      providesTags: ['LtiPlatforms'],
      ...failed('fetch the learning platforms'),
    }),
    createPlatform: build.mutation({
      ...endpoint('createLtiPlatform', 'platform'),
      ...changesPlatforms,
      ...failed('add the platform'),
    }),
    updatePlatform: build.mutation({
      ...endpoint('updateLtiPlatform', 'platform'),
      ...changesPlatforms,
      ...failed('save the platform'),
    }),
    deletePlatform: build.mutation({
      ...endpoint('deleteLtiPlatform'),
      ...changesPlatforms,
      ...failed('delete the platform'),
    }),
  }),
});

export const {
  useApiKeysQuery,
  useCreateApiKeyMutation,
  useRevokeApiKeyMutation,
  useWebhooksQuery,
  useCreateWebhookMutation,
  useDeleteWebhookMutation,
  useDeliveriesQuery,
  useRedeliverMutation,
  usePlatformsQuery,
  useCreatePlatformMutation,
  useUpdatePlatformMutation,
  useDeletePlatformMutation,
} = integrationsApi;
