import { expect, test } from 'vitest';
import { defaultPlan, plans } from '../src/auth/plans.ts';

test('there are three plans with their prices and features, with basic as the default', () => {
  expect(plans).toEqual([
    {
      id: 'basic',
      name: 'Basic Plan',
      price: '$9.99',
      features: ['Basic interview sets', 'Up to 10 practice sessions a month', 'Basic transcription', 'Email support'],
    },
    {
      id: 'premium',
      name: 'Premium Plan',
      price: '$19.99',
      features: [
        'All sets',
        'Unlimited practice',
        'Advanced transcription with AI feedback',
        'Priority support',
        'Performance analytics',
      ],
    },
    {
      id: 'enterprise',
      name: 'Enterprise Plan',
      price: '$49.99',
      features: [
        'Everything in Premium',
        'Custom interview sets',
        'Team management',
        'Advanced reporting',
        'Dedicated support',
      ],
    },
  ]);
  expect(defaultPlan).toBe('basic');
});
