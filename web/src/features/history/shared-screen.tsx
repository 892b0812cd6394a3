import { useLocation } from 'react-router-dom';
import { SharedInterviewView } from './share/shared-interview-view.tsx';

/** /shared#TOKEN: what a link shows, for people without an account. */
export default function SharedScreen() {
  const token = useLocation().hash.slice(1);
  return <SharedInterviewView key={token} token={token} />;
}
