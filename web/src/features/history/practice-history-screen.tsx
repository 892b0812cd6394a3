import { HistoryScreen } from './list/history-screen.tsx';

/** /practiceInterviews */
export default function PracticeHistoryScreen() {
  return <HistoryScreen kind="practice" />;
}
