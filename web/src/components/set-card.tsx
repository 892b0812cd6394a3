import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { Badge, Box, Group, Text, Title } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { useGetSettingsQuery } from '../lib/api/base-api.ts';
import { countOf, languageName } from '../lib/formats.ts';
import { unknowns } from '../lib/messages.ts';
import classes from './set-card.module.css';

/** The shape of a set's icon: the hue in degrees, and the heights of five bars, 4–30 of 48 units. */
interface IconShape {
  hue: number;
  bars: readonly number[];
}

const barCount = 5;

const hues = 24;

const tagsShown = 3;

interface SetCardProps {
  set: Pick<InterviewSet, 'title' | 'technology' | 'questions' | 'tags' | 'language' | 'createdBy'>;
  /** Shown before the question count. */
  fact?: ReactNode;
  /** Shown below the creator. */
  note?: ReactNode;
  /** The buttons; the first one takes the most space. */
  actions: ReactNode;
}

/** An interview or a practice set in a list. */
export function SetCard({ set, fact, note, actions }: SetCardProps) {
  const { title, technology, questions, tags } = set;
  const hiddenTags = tags.slice(tagsShown);
  return (
    <li className={classes.card}>
      <Group gap={14} align="flex-start" wrap="nowrap">
        <SetIcon seed={title} />
        <Box miw={0}>
          <Title order={2} size="h3" className={classes.title}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {technology}
          </Text>
        </Box>
      </Group>
      <Text size="sm" c="dimmed" className={classes.facts}>
        {fact}
        <span>{countOf(questions.length, 'question')}</span>
        {set.language && <span>In {languageName(set.language)}</span>}
      </Text>
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label="Tags">
          {tags.slice(0, tagsShown).map((tag) => (
            <Badge key={tag} component="li" variant="default" tt="none" fw={500} maw="100%">
              {tag}
            </Badge>
          ))}
          {hiddenTags.length > 0 && (
            <Badge component="li" variant="default" tt="none" fw={500} title={hiddenTags.join(', ')}>
              +{hiddenTags.length}
            </Badge>
          )}
        </ul>
      )}
      <Text size="xs" c="dimmed" mt="auto" truncate>
        Created by {set.createdBy?.email || unknowns.creator}
      </Text>
      {note}
      <div className={classes.actions}>{actions}</div>
    </li>
  );
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** The same seed gives the same icon, on every machine. */
export function iconOf(seed: string): IconShape {
  const hue = ((hash(`${seed}/hue`) % hues) * 360) / hues;
  const bars = Array.from({ length: barCount }, (_, index) => 4 + (hash(`${seed}/${index}`) % 14) * 2);
  return { hue, bars };
}

/** A set's icon, from the avatar service if one is configured and reachable, else generated from the same seed. */
function SetIcon({ seed }: { seed: string }) {
  const { data: settings } = useGetSettingsQuery();
  const [unreachable, setUnreachable] = useState(false);
  const template = settings?.avatarUrl;

  if (template && !unreachable) {
    return (
      <img
        className={classes.icon}
        src={template.replace('{seed}', encodeURIComponent(seed))}
        width={48}
        height={48}
        alt=""
        loading="lazy"
        onError={() => setUnreachable(true)}
      />
    );
  }
  const { hue, bars } = iconOf(seed);
  return (
    <svg className={classes.icon} style={{ '--hue': hue } as CSSProperties} viewBox="0 0 48 48" aria-hidden="true">
      {bars.map((height, index) => {
        const x = 10 + index * 7;
        return <line key={x} x1={x} x2={x} y1={24 - height / 2} y2={24 + height / 2} />;
      })}
    </svg>
  );
}
