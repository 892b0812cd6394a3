import type { AssessmentUsage } from '@interview-prep/contracts/recordings';

const count = new Intl.NumberFormat('en-US');
const smallestShownUsd = 0.0001;
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

/** What a verdict by a chat model used: '1,834 tokens, $0.0042'; without the cost where no prices are set. */
export function usageLine({ promptTokens, completionTokens, costUsd }: AssessmentUsage): string {
  const tokens = `${count.format(promptTokens + completionTokens)} tokens`;
  if (costUsd === null) return tokens;
  const isTiny = costUsd > 0 && costUsd < smallestShownUsd;
  return `${tokens}, ${isTiny ? `less than ${dollars.format(smallestShownUsd)}` : dollars.format(costUsd)}`;
}
