import { useHealth } from './health-api.ts';
import classes from './operations.module.css';

/** Shows admins the release that runs. */
export default function VersionFooter() {
  const version = useHealth()?.version;
  return version === undefined ? null : <footer className={classes.footer}>Version {version}</footer>;
}
