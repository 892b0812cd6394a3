/** Plan ids, the default first. Source: product specification, section 9. */
export const planIds = ['basic', 'premium', 'enterprise'] as const;
export type PlanId = (typeof planIds)[number];

/** A plan on the payment page; `price` in US dollars per month. Nobody is charged. */
export interface Plan {
  id: PlanId;
  name: string;
  price: string;
  features: readonly string[];
}

export const plans: readonly Plan[] = [
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
];

export const defaultPlan: PlanId = 'basic';
