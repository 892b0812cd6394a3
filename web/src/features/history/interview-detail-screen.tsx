import { useParams } from 'react-router-dom';
import { DetailScreen } from './detail/detail-screen.tsx';

/** /interviews/{interviewId} */
export default function InterviewDetailScreen() {
  const id = useParams().interviewId?.trim() ?? '';
  return <DetailScreen key={id} kind="interview" id={id} />;
}
