import { useParams } from 'react-router-dom';
import { TakesComparison } from './takes/takes-comparison.tsx';

/** /interviews/{interviewId}/takes/{number} */
export default function TakesScreen() {
  const { interviewId = '', number = '' } = useParams();
  return <TakesComparison key={`${interviewId} ${number}`} interviewId={interviewId} questionId={Number(number) - 1} />;
}
