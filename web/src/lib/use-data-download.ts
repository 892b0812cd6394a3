import { errorMessage } from './api/api-error.ts';
import { api } from './api/base-api.ts';
import { endpoint } from './api/route-request.ts';
import { toast } from './toasts.ts';

const { useRequestDataExportMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    /** The URL of a download that the browser streams to a file; valid for one minute. */
    requestDataExport: build.mutation({
      ...endpoint('requestDataExport', 'url'),
      extraOptions: { fallback: 'Failed to prepare the download' },
    }),
  }),
});

/** Downloads a user's data as a zip file; by default the user's own. `busy` while the link is requested. */
export function useDataDownload(): { download: (userId?: string) => void; busy: boolean } {
  const [request, { isLoading }] = useRequestDataExportMutation();
  const download = async (userId?: string) => {
    try {
      const url = await request(userId === undefined ? {} : { userId }).unwrap();
      // The response is an attachment: the page stays, and the browser streams it to a file.
      const link = document.createElement('a');
      link.href = url;
      link.download = '';
      link.click();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to prepare the download'));
    }
  };
  return { download: (userId) => void download(userId), busy: isLoading };
}
