import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import type { SessionItem } from './session-types.ts';

/** Whether a session shows its participant and ids: hidden from candidates viewing their own. */
export function useSeesParticipant(userDetails: SessionItem['userDetails'] | undefined): boolean {
  const user = useAppSelector(selectUser);
  return user?.role !== 'others' || userDetails?.email !== user.email;
}
