import { HistoryScreen } from './list/history-screen.tsx';

/** /interviews */
export default function InterviewHistoryScreen() {
  return <HistoryScreen kind="interview" />;
}
