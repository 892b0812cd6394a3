import { IconUserQuestion } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { countOf } from '../../../lib/count-of.ts';
import { paths } from '../../../lib/paths.ts';
import classes from './overview.module.css';
import { useOverview } from './overview-api.ts';

/** In the bar: how many appeals are open; nothing while there are none. */
export default function AppealsCount() {
  const count = useOverview()?.appeals.count ?? 0;
  if (count === 0) return null;
  const label = countOf(count, 'open appeal');
  return (
    <Link to={paths.appeals} className={classes.badge} aria-label={label} title={label}>
      <IconUserQuestion size={18} stroke={1.5} aria-hidden />
      <span className="tabular">{count > 99 ? '99+' : count}</span>
    </Link>
  );
}
