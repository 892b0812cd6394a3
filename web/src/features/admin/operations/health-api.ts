import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

const healthApi = api.injectEndpoints({
  endpoints: (build) => ({ health: build.query(endpoint('health')) }),
});

/** What works, asked again every half a minute while the window is in use. */
export function useHealth() {
  return healthApi.useHealthQuery(undefined, { pollingInterval: 30_000, skipPollingIfUnfocused: true }).data;
}
