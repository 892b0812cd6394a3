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

const show = (kind: keyof typeof kinds) => {
  const look = kinds[kind];
  return (message: string, { id }: ToastOptions = {}): void => {
    const notification = {
      ...look,
      message,
      withCloseButton: true,
      withBorder: true,
      'data-toast': kind,
      closeButtonProps: { 'aria-label': 'Close' },
    };
    if (id !== undefined) notifications.hide(id);
    notifications.show(id === undefined ? notification : { ...notification, id });
  };
};

/** Toasts, by type: `toast.success('Recording saved successfully')`. */
export const toast = {
  info: show('info'),
  success: show('success'),
  error: show('error'),
  dismiss: (id: string): void => {
    notifications.hide(id);
  },
};
