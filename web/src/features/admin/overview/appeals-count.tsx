import { IconUserQuestion } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { countOf } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import classes from './overview.module.css';
import { useOverview, useReviewsWaiting } from './overview-api.ts';

/** The badge in the navigation bar: open appeals for admins, answers to review for coaches; hidden at zero. */
export default function AppealsCount({ isAdmin }: { isAdmin: boolean }) {
  const appeals = useOverview(!isAdmin)?.appeals.count ?? 0;
  const waiting = useReviewsWaiting(isAdmin) ?? 0;
  const count = isAdmin ? appeals : waiting;
  if (count === 0) return null;
  const label = countOf(count, isAdmin ? 'open appeal' : 'answer to review', isAdmin ? undefined : 'answers to review');
  return (
    <Link to={paths.appeals} className={classes.badge} aria-label={label} title={label}>
      <IconUserQuestion size={18} stroke={1.5} aria-hidden />
      <span className="tabular">{count > 99 ? '99+' : count}</span>
    </Link>
  );
}
