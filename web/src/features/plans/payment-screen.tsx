import { defaultPlan, type Plan, type PlanId, plans } from '@interview-prep/contracts/auth/plans';
import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../lib/api/api-error.ts';
import { api } from '../../lib/api/base-api.ts';
import { endpoint } from '../../lib/api/route-request.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser, userChanged } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { BareScreen, SignInHint } from './bare-screen.tsx';
import classes from './plans.module.css';

const plansApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Saves the plan on the user. Nothing is charged. */
    subscribe: build.mutation({
      ...endpoint('subscribe', 'user'),
      invalidatesTags: ['Me', 'Users'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
  }),
});

const { useSubscribeMutation } = plansApi;

interface PlanCardProps {
  plan: Plan;
  chosen: boolean;
  current: boolean;
  onChoose: (plan: PlanId) => void;
}

/** A selectable plan: name, price, features. The whole card is the radio button's label. */
function PlanCard({ plan, chosen, current, onChoose }: PlanCardProps) {
  const id = useId();
  return (
    <label className={classes.card} data-chosen={chosen}>
      <Group component="span" gap={10} wrap="nowrap" mih={24}>
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
      </Group>
      <span id={`${id}-price`} className={classes.price}>
        {plan.price}{' '}
        <Text span c="dimmed" size="sm" fw={400} lts="0">
          per month
        </Text>
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

/** Source: product specification, section 9, simulated payment delay. */
const processingMs = 2000;
const toastId = 'plans';

/** Source: product specification, section 2, route /payment. Open to everyone; subscribing needs a user. Nothing is charged. */
export default function PaymentScreen() {
  const user = useAppSelector(selectUser);
  const [plan, setPlan] = useState<PlanId>(plans.find(({ id }) => id === user?.plan)?.id ?? defaultPlan);
  const [processing, setProcessing] = useState(false);
  const [subscribe] = useSubscribeMutation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (processing) return;
    if (!user) return toast.error(messages.plans.noUser, { id: toastId });
    setProcessing(true);
    const delay = new Promise((resolve) => setTimeout(resolve, processingMs));
    const [answer] = await Promise.all([subscribe({ plan }), delay]);
    if (answer.data) dispatch(userChanged({ user: answer.data }));
    if (left.current) return;
    if (answer.error) {
      setProcessing(false);
      const failure = messages.plans.paymentFailed(errorMessage(answer.error, fallbacks.updateUser));
      return toast.error(failure, { id: toastId });
    }
    const name = plans.find(({ id }) => id === answer.data.plan)?.name ?? answer.data.plan;
    toast.success(messages.plans.subscribed(name), { id: toastId });
    await navigate(paths.home);
  };

  return (
    <BareScreen
      step={2}
      width="content"
      title="Choose your plan"
      lead="All prices are per month. You can change your plan at any time."
    >
      <form onSubmit={submit}>
        {!user && <SignInHint />}
        <fieldset className={classes.plans} disabled={processing}>
          <VisuallyHidden component="legend">Plans</VisuallyHidden>
          {plans.map((each) => (
            <PlanCard
              key={each.id}
              plan={each}
              chosen={each.id === plan}
              current={each.id === user?.plan}
              onChoose={setPlan}
            />
          ))}
        </fieldset>
        <div className={classes.bottom}>
          <Text size="sm" className={classes.free}>
            <IconInfoCircle size={18} stroke={1.75} aria-hidden />
            <span>This is a demo. You won't be charged.</span>
          </Text>
          <Button type="submit" size="md" aria-disabled={processing} miw={160}>
            {processing ? 'Processing...' : 'Subscribe'}
          </Button>
        </div>
      </form>
    </BareScreen>
  );
}
