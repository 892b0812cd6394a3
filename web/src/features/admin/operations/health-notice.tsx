import { useHealth } from './health-api.ts';
import classes from './operations.module.css';

/** Tells admins on every page what does not work, and what that means for answers. */
export default function HealthNotice() {
  const health = useHealth();
  if (!health || health.status === 'ok') return null;
  const { worker, ...services } = health.services;
  const down = Object.entries(services).flatMap(([name, state]) => (state === 'down' ? [name] : []));
  return (
    <div role="status" className={classes.notice}>
      {down.length > 0 && <p>Not working: {down.join(', ')}.</p>}
      {worker === 'down' && (
        <p>No worker is running. Answers are saved, and will be transcribed and scored once a worker is back.</p>
      )}
    </div>
  );
}
