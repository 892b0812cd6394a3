import { useLocation } from 'react-router-dom';
import { BrandLink } from '../../components/brand-link.tsx';
import { SharedInterviewView } from './share/shared-interview-view.tsx';
import classes from './shared-screen.module.css';

/** /shared#TOKEN: what a link shows, for people without an account. */
export default function SharedScreen() {
  const token = useLocation().hash.slice(1);
  return (
    <>
      <div className={classes.brand}>
        <BrandLink />
      </div>
      <SharedInterviewView key={token} token={token} />
    </>
  );
}
