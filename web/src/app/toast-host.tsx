import { Notifications } from '@mantine/notifications';
import classes from './toast-host.module.css';

/** Toasts appear at top center below the header, where pages have no actions; above dialogs but below open menus. */
export default function ToastHost() {
  return (
    <Notifications
      position="top-center"
      containerWidth={304}
      limit={4}
      zIndex={290}
      classNames={{ root: classes.root ?? '' }}
    />
  );
}
