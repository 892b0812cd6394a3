import { expect, test } from 'vitest';
import type { ZodObject } from 'zod';
import { NewDeveloper, Role, SignedInUser, User } from '../src/auth/users.ts';
import { InterviewSet, PracticeSet } from '../src/catalog/sets.ts';
import { Technology } from '../src/catalog/technologies.ts';
import {
  InterviewDetail,
  InterviewItem,
  InterviewRecordingDetail,
  PracticeDetail,
  PracticeItem,
  PracticeRecordingDetail,
  UserDetails,
} from '../src/history/history.ts';
import { InterviewUpload, PracticeUpload, Transcription } from '../src/recording/recordings.ts';

test.each<[string, ZodObject, string]>([
  ['user', User, 'id email role technologies createdAt lastLogin'],
  ['signed-in user', SignedInUser, 'token'],
  ['new developer', NewDeveloper, 'email password technologies'],
  ['technology', Technology, 'id name slug'],
  ['interview set', InterviewSet, '_id id title technology questions tags createdBy'],
  ['practice set', PracticeSet, '_id title technology questions answers tags createdBy'],
  ['interview list item', InterviewItem, '_id userId createdAt technology interviewSetId userDetails'],
  ['its user', UserDetails, 'email role lastLogin'],
  ['interview detail', InterviewDetail, 'userId technology createdAt questions recordings'],
  [
    'interview recording',
    InterviewRecordingDetail,
    '_id createdAt audioUrl transcription isCorrect correctnessPercentage chatGPTResponse',
  ],
  ['transcription', Transcription, 'status text completedAt'],
  ['practice list item', PracticeItem, '_id sessionId createdAt technology practiceSetId userDetails'],
  ['practice detail', PracticeDetail, 'sessionId createdAt title technology questions recordings'],
  ['practice recording', PracticeRecordingDetail, 'questionId audioUrl createdAt transcription'],
  ['interview upload', InterviewUpload, 'questionId technologyCategory interviewSetTitle interviewSetId sessionId'],
  ['practice upload', PracticeUpload, 'questionId practiceSetId technologyCategory practiceSetTitle sessionId'],
])('the %s has the specified fields', (_name, entity, fields) => {
  expect(Object.keys(entity.shape)).toEqual(expect.arrayContaining(fields.split(' ')));
});

test('a user in the API has no password', () => {
  expect(Object.keys(SignedInUser.shape)).not.toContain('password');
});

test('roles and transcription states are as specified', () => {
  expect(Role.options).toEqual(['admin', 'dev', 'others']);
  expect(Transcription.shape.status.options).toEqual(expect.arrayContaining(['pending', 'failed']));
});
