import { useParams } from 'react-router-dom';
import { DetailScreen } from './detail/detail-screen.tsx';

/** /practiceInterviews/{practiceId} */
export default function PracticeDetailScreen() {
  const id = useParams().practiceId?.trim() ?? '';
  return <DetailScreen key={id} kind="practice" id={id} />;
}
