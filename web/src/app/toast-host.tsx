import { Notifications } from '@mantine/notifications';
import classes from './toast-host.module.css';

/** Where toasts appear: under the header at the right, over dialogs but under open menus. */
export default function ToastHost() {
  return (
    <Notifications
      position="top-right"
      containerWidth={304}
      limit={4}
      zIndex={290}
      classNames={{ root: classes.root ?? '' }}
    />
  );
}
