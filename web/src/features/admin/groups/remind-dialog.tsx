import type { Assignment, Reminded } from '@interview-prep/contracts/recording/assignments';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useRemindMembersMutation } from '../../../lib/api/assignments-api.ts';
import { countOf } from '../../../lib/count-of.ts';
import { toast } from '../../../lib/toasts.ts';
import type { RosterMember } from './roster-rows.ts';

const is = (count: number) => (count === 1 ? 'is' : 'are');

interface RemindDialogProps {
  assignment: Assignment;
  members: readonly RosterMember[];
  onClose: () => void;
}

/** Reminds members of an assignment by mail, and says how many get one and why others don't. */
export function RemindDialog({ assignment, members, onClose }: RemindDialogProps) {
  const [remind, reminding] = useRemindMembersMutation();
  const done = members.filter(({ state }) => state === 'done' || state === 'late').length;
  const who = countOf(members.length - done, 'member');
  const unreached = new Set(members.flatMap(({ person }) => (person.workMail === false ? [person.userId] : [])));

  const outcome = ({ reminded, recent, closed, done: doneNow }: Reminded) => {
    const mailed = reminded.filter((id) => !unreached.has(id)).length;
    const silent = reminded.length - mailed;
    const others = [
      doneNow.length > 0 && `${doneNow.length} ${is(doneNow.length)} done`,
      recent.length > 0 && `${recent.length} ${recent.length === 1 ? 'was' : 'were'} reminded in the last 24 hours`,
      closed.length > 0 && `for ${closed.length} it is closed`,
      silent > 0 && `${silent} ${silent === 1 ? 'gets' : 'get'} no emails about assigned work`,
    ].filter((part) => part !== false);
    const sent = mailed === 0 ? 'No reminder was sent' : `${countOf(mailed, 'member')} will get a reminder`;
    return { mailed, text: others.length > 0 ? `${sent}; ${others.join(', ')}` : sent };
  };
  const confirm = async () => {
    const { data, error } = await remind({
      id: assignment.id,
      userIds: members.map(({ person }) => person.userId),
    });
    onClose();
    if (!data) return toast.error(errorMessage(error, 'Failed to remind the members'));
    const { mailed, text } = outcome(data);
    if (mailed > 0) toast.success(text);
    else toast.error(text);
  };
  return (
    <ConfirmDialog
      opened
      title={`Remind ${who}?`}
      confirmLabel={`Remind ${who}`}
      destructive={false}
      held={members.length === done}
      busy={reminding.isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      They get an email that “{assignment.title}” is not finished yet, at most once in 24 hours.
      {done > 0 && ` ${countOf(done, 'member')} you selected ${is(done)} done.`}
      {unreached.size > 0 &&
        ` ${unreached.size} ${unreached.size === 1 ? 'gets' : 'get'} no emails about assigned work.`}
    </ConfirmDialog>
  );
}
