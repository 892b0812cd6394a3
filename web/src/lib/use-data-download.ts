import { errorMessage } from './api/api-error.ts';
import { useRequestDataExportMutation } from './api/data-export-api.ts';
import { toast } from './toasts.ts';

/** Downloads a user's data as a zip file; one's own without an id. `busy`: while the link is asked for. */
export function useDataDownload(): { download: (userId?: string) => void; busy: boolean } {
  const [request, { isLoading }] = useRequestDataExportMutation();
  const download = async (userId?: string) => {
    try {
      const url = await request(userId === undefined ? {} : { userId }).unwrap();
      // The answer is an attachment: the page stays, and the browser streams it to a file.
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
