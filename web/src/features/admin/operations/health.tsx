import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import classes from './operations.module.css';

const healthApi = api.injectEndpoints({
  endpoints: (build) => ({ health: build.query(endpoint('health')) }),
});

/** The health status, polled every 30 seconds while the window is in use. */
export function useHealth() {
  return healthApi.useHealthQuery(undefined, { pollingInterval: 30_000, skipPollingIfUnfocused: true }).data;
}

/** Tells admins on every page which parts are down, and what that means for answers. */
export function HealthNotice() {
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

/** Shows admins the running release. */
export function VersionFooter() {
  const version = useHealth()?.version;
  return version === undefined ? null : <footer className={classes.footer}>Version {version}</footer>;
}
