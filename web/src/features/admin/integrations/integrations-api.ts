import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

const changesKeys = { invalidatesTags: ['ApiKeys' as const] };
const changesWebhooks = { invalidatesTags: ['Webhooks' as const] };
const changesPlatforms = { invalidatesTags: ['LtiPlatforms' as const, 'LtiCourses' as const] };

/** API keys, webhooks and learning platforms: how other systems read and change data and receive events. */
const integrationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    apiKeys: build.query({ ...endpoint('listApiKeys', 'keys'), providesTags: ['ApiKeys'] }),
    createApiKey: build.mutation({ ...endpoint('createApiKey'), ...changesKeys }),
    revokeApiKey: build.mutation({ ...endpoint('revokeApiKey'), ...changesKeys }),
    webhooks: build.query({ ...endpoint('listWebhooks', 'webhooks'), providesTags: ['Webhooks'] }),
    createWebhook: build.mutation({ ...endpoint('createWebhook'), ...changesWebhooks }),
    deleteWebhook: build.mutation({ ...endpoint('deleteWebhook'), ...changesWebhooks }),
    deliveries: build.query({ ...endpoint('listDeliveries', 'deliveries'), providesTags: ['Webhooks'] }),
    redeliver: build.mutation({ ...endpoint('redeliver', 'delivery'), ...changesWebhooks }),
    platforms: build.query({ ...endpoint('listLtiPlatforms'), providesTags: ['LtiPlatforms'] }),
    createPlatform: build.mutation({ ...endpoint('createLtiPlatform', 'platform'), ...changesPlatforms }),
    updatePlatform: build.mutation({ ...endpoint('updateLtiPlatform', 'platform'), ...changesPlatforms }),
    deletePlatform: build.mutation({ ...endpoint('deleteLtiPlatform'), ...changesPlatforms }),
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
