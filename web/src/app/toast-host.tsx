import { Notifications } from '@mantine/notifications';
import classes from './toast-host.module.css';

/** Where toasts appear: under the header in the middle, where pages have no actions; over dialogs but under open menus. */
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
