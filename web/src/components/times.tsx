import { detailDate, exactTime, timeAgo } from '../lib/formats.ts';

/** '3 days ago', with the exact time as its title. */
export function TimeAgo({ at, now }: { at: string; now?: number }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeAgo(at, now)}
    </time>
  );
}

/** 'Nov 20, 2026, 2:15 PM', with the exact time as its title. */
export function DetailDate({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {detailDate(at)}
    </time>
  );
}

/** 'Due Nov 20, 2026, 2:15 PM', or 'No due date'. */
export function DueDate({ at }: { at: string | null }) {
  if (at === null) return 'No due date';
  return (
    <>
      Due <DetailDate at={at} />
    </>
  );
}
