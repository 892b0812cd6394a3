import type { Plan, PlanId } from '@interview-prep/contracts/plans';
import { Badge, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './plan-card.module.css';

interface PlanCardProps {
  plan: Plan;
  chosen: boolean;
  /** The user's present plan. */
  current: boolean;
  onChoose: (plan: PlanId) => void;
}

/** A plan to choose: name, price, lines. The whole card is the radio button's label. */
export function PlanCard({ plan, chosen, current, onChoose }: PlanCardProps) {
  const id = useId();
  return (
    <label className={classes.card} data-chosen={chosen}>
      <span className={classes.head}>
        <input
          type="radio"
          name="plan"
          value={plan.id}
          checked={chosen}
          onChange={() => onChoose(plan.id)}
          className={classes.radio}
          aria-labelledby={`${id}-name ${id}-price`}
          aria-describedby={`${id}-features`}
        />
        <Text span id={`${id}-name`} fw={600}>
          {plan.name}
        </Text>
        {current && (
          <Badge variant="light" tt="none" fw={550} ml="auto">
            Your plan
          </Badge>
        )}
      </span>
      <span id={`${id}-price`} className={classes.price}>
        {plan.price} <span className={classes.period}>per month</span>
      </span>
      <ul id={`${id}-features`} className={classes.features}>
        {plan.features.map((feature) => (
          <li key={feature}>
            <IconCheck size={18} stroke={2} aria-hidden />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
    </label>
  );
}
