import { notifications } from '@mantine/notifications';

/** Success and error close by themselves. Source: product specification, section 9. */
const autoCloseMs = 5000;

/**
 * `id`: a later toast with the same id takes the place of the former, so that a running activity has one toast.
 * Info stays until it is closed or replaced.
 */
interface ToastOptions {
  id?: string;
}

const kinds = {
  info: { color: 'indigo', autoClose: false, role: 'status' },
  success: { color: 'teal', autoClose: autoCloseMs, role: 'status' },
  error: { color: 'orange', autoClose: autoCloseMs, role: 'alert' },
} as const;

/**
 * What each id shows now. Every toast is a notification of its own: one that took over the former's would also take over
 * its remaining time, and would not be read out again.
 */
const shown = new Map<string, string>();

const dismiss = (id: string): void => {
  const former = shown.get(id);
  if (former === undefined) return;
  shown.delete(id);
  notifications.hide(former);
};

const show = (kind: keyof typeof kinds) => {
  const look = kinds[kind];
  return (message: string, { id }: ToastOptions = {}): void => {
    if (id !== undefined) dismiss(id);
    const notification = notifications.show({
      ...look,
      message,
      withCloseButton: true,
      withBorder: true,
      'data-toast': kind,
      closeButtonProps: { 'aria-label': 'Close' },
    });
    if (id !== undefined) shown.set(id, notification);
  };
};

/** Toasts, by type: `toast.success('Recording saved successfully')`. */
export const toast = {
  info: show('info'),
  success: show('success'),
  error: show('error'),
  dismiss,
};
