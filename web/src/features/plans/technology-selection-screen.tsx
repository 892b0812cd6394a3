import { limits } from '@interview-prep/contracts/api/limits';
import { Button, Checkbox, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { useChooseTechnologiesMutation, useListTechnologiesQuery } from '../../lib/api/sets-api.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser, userChanged } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/state-hooks.ts';
import { toast, useFailureToast } from '../../lib/toasts.ts';
import { BareScreen, SignInHint } from './bare-screen.tsx';
import classes from './plans.module.css';

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];
const toastId = 'plans';

/** Source: product specification, section 2, route /technology-selection. Open to everyone; continuing needs a user. */
export default function TechnologySelectionScreen() {
  const user = useAppSelector(selectUser);
  const { data: technologies, error, isFetching, refetch } = useListTechnologiesQuery();
  const [choose, { isLoading, isSuccess }] = useChooseTechnologiesMutation();
  const [chosen, setChosen] = useState<readonly string[]>(user?.technologies ?? []);
  const [problem, setProblem] = useState<string | null>(null);
  // Stay busy after saving, until the next page is shown.
  const saving = isLoading || isSuccess;
  const dispatch = useAppDispatch();
  const navigate = useNavigate();

  const reason = errorMessage(error, fallbacks.fetchTechnologies);
  const loadFailed = messages.plans.technologiesFailed(reason);
  useFailureToast(technologies ? undefined : error && { status: null, message: reason }, loadFailed);

  // Drop deleted technologies, which the user couldn't deselect.
  const known = chosen.filter((slug) => technologies?.some((technology) => technology.slug === slug));
  const full = known.length >= limits.technologiesPerUser;

  const toggle = (slug: string) => {
    setProblem(null);
    setChosen(known.includes(slug) ? known.filter((other) => other !== slug) : [...known, slug]);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (saving) return;
    if (known.length === 0) return setProblem(messages.plans.noTechnology);
    if (known.length > limits.technologiesPerUser) return setProblem(messages.plans.tooMany);
    if (!user) {
      setProblem(messages.plans.noUser);
      return toast.error(messages.plans.noUser, { id: toastId });
    }
    const answer = await choose({ id: user.id, technologies: known });
    if (answer.error) {
      const failure = messages.plans.updateFailed(errorMessage(answer.error, fallbacks.updateUser));
      return toast.error(failure, { id: toastId });
    }
    dispatch(userChanged({ user: answer.data }));
    toast.dismiss(toastId);
    await navigate(paths.payment);
  };

  return (
    <BareScreen
      step={1}
      width="form"
      title="Choose your technologies"
      lead="Pick up to 3 that you want to be interviewed in. You can change them later."
    >
      {!technologies && error && <LoadFailure message={loadFailed} onRetry={refetch} retrying={isFetching} />}
      {!technologies && !error && (
        <div className={classes.technologies}>
          <VisuallyHidden role="status">Loading technologies…</VisuallyHidden>
          {skeletons.map((row) => (
            <Skeleton key={row} height={54} aria-hidden />
          ))}
        </div>
      )}
      {technologies?.length === 0 && (
        <Notice title={`${messages.technologies.none}.`}>
          An admin needs to add some first. Please come back later.
        </Notice>
      )}
      {technologies && technologies.length > 0 && (
        <form onSubmit={submit} noValidate>
          {!user && <SignInHint />}
          <fieldset className={classes.technologies} aria-describedby="chosen problem">
            <VisuallyHidden component="legend">Technologies</VisuallyHidden>
            {technologies.map(({ slug, name }) => (
              <Checkbox.Card
                key={slug}
                className={classes.technology ?? ''}
                checked={known.includes(slug)}
                disabled={saving || (full && !known.includes(slug))}
                onClick={() => toggle(slug)}
              >
                <Checkbox.Indicator aria-hidden />
                <span>{name}</span>
              </Checkbox.Card>
            ))}
          </fieldset>
          <div className={classes.bottom}>
            <div>
              <Text id="chosen" size="sm" c="dimmed" role="status" className="tabular">
                {known.length} of {limits.technologiesPerUser} chosen
                {full && '. To choose another one, deselect one.'}
              </Text>
              <Text id="problem" size="sm" fw={550} c="var(--mantine-color-error)" role="alert">
                {problem}
              </Text>
            </div>
            <Button type="submit" size="md" aria-disabled={saving}>
              {saving ? 'Saving...' : 'Continue to Payment'}
            </Button>
          </div>
        </form>
      )}
    </BareScreen>
  );
}
