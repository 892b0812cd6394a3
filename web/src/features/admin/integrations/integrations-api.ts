import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

const changesKeys = { invalidatesTags: ['ApiKeys' as const] };

/** How other systems read and change what is in the product. */
const integrationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    apiKeys: build.query({ ...endpoint('listApiKeys', 'keys'), providesTags: ['ApiKeys'] }),
    createApiKey: build.mutation({ ...endpoint('createApiKey'), ...changesKeys }),
    revokeApiKey: build.mutation({ ...endpoint('revokeApiKey'), ...changesKeys }),
  }),
});

export const { useApiKeysQuery, useCreateApiKeyMutation, useRevokeApiKeyMutation } = integrationsApi;
