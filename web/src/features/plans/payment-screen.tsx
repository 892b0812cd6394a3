import { defaultPlan, type PlanId, plans } from '@interview-prep/contracts/plans';
import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser, userChanged } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { BareScreen } from './bare-screen.tsx';
import { PlanCard } from './plan-card.tsx';
import classes from './plans.module.css';
import { useSubscribeMutation } from './plans-api.ts';
import { SignInHint } from './sign-in-hint.tsx';

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
            <span>Nothing is charged. No card is needed and no money changes hands; your choice is only saved.</span>
          </Text>
          <Button type="submit" size="md" aria-disabled={processing} className={classes.pay ?? ''}>
            {processing ? 'Processing...' : 'Subscribe'}
          </Button>
        </div>
      </form>
    </BareScreen>
  );
}
