import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect } from 'react';
import type { ApiError } from './api/api-error.ts';

/** Success and error toasts close automatically. Source: product specification, section 9. */
const autoCloseMs = 5000;

/**
 * `id`: a later toast with the same id replaces the earlier one.
 * Info toasts stay until they are closed or replaced.
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
 * The current notification of each id. A replacement is a new notification: updating the old one would keep its
 * remaining time, and screen readers wouldn't announce it.
 */
const shown = new Map<string, string>();

function dismiss(id: string): void {
  const notification = shown.get(id);
  if (notification === undefined) return;
  shown.delete(id);
  notifications.hide(notification);
}

function show(kind: keyof typeof kinds) {
  const look = kinds[kind];
  return (message: ReactNode, { id }: ToastOptions = {}): void => {
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
}

/** Toasts, by type: `toast.success('Recording saved successfully')`. */
export const toast = {
  info: show('info'),
  success: show('success'),
  error: show('error'),
  dismiss,
};

/** Shows one toast per failed load. A response without data has its own message. */
export function useFailureToast(error: ApiError | undefined, message: string): void {
  useEffect(() => {
    if (error) toast.error(error.code === 'no_data' ? error.message : message, { id: message });
  }, [error, message]);
}
