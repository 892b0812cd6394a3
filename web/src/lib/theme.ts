import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Indigo; white text on shade 6 has a contrast of 5:1. */
const indigo: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#91a2fb',
  '#6d83f5',
  '#4459e0',
  '#3849c4',
  '#303ea3',
  '#262f7d',
];

/** Slate, the neutral of the light scheme; shade 6 is dimmed text, with a contrast of 5.5:1 on white. */
const gray: MantineColorsTuple = [
  '#f8fafc',
  '#f1f5f9',
  '#e2e8f0',
  '#cfd8e3',
  '#b6c2d1',
  '#7a889c',
  '#58677d',
  '#475569',
  '#334155',
  '#1e293b',
];

/** Slate, the neutral of the dark scheme; 7 is the page, 6 surfaces, 4 borders, 2 dimmed text. */
const dark: MantineColorsTuple = [
  '#e2e8f0',
  '#cbd5e1',
  '#9fb0c5',
  '#8494a9',
  '#3a4961',
  '#273449',
  '#1b2537',
  '#111827',
  '#0c121f',
  '#080d17',
];

/** Red for destructive actions; white text on shade 6 has a contrast of 5.5:1. */
const red: MantineColorsTuple = [
  '#fef3f2',
  '#fee4e2',
  '#fecdca',
  '#fda29b',
  '#f97066',
  '#e5483b',
  '#c4281c',
  '#b42318',
  '#912018',
  '#7a271a',
];

const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Modals and drawers render a `header`, which would be a second banner landmark. */
const plainHeader = { attributes: { header: { role: 'none' } } };

/** Sizes 13/14/16/20/28 px, an 8-px grid, radius 10, shadows only for floating elements. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 6,
  colors: { indigo, gray, dark, red },
  black: '#0f172a',
  fontFamily,
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, 'SF Mono', monospace",
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  headings: {
    fontFamily,
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.45' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.625rem', lg: '0.875rem', xl: '2rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { fw: 550 } },
    Skeleton: { defaultProps: { radius: 'md' } },
    // In the error color, a placeholder would look like entered text.
    Input: { vars: () => ({ wrapper: { '--input-placeholder-color': 'var(--mantine-color-placeholder)' } }) },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Modal: {
      defaultProps: {
        ...plainHeader,
        centered: true,
        // A click beside a form would lose what was typed.
        closeOnClickOutside: false,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 150 },
      },
      // Heavier than the labels below it.
      styles: { title: { fontSize: '1.125rem', fontWeight: 650 } },
    },
    Drawer: { defaultProps: { ...plainHeader, transitionProps: { duration: 150 } } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        hideDetached: false,
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 120 },
      },
    },
  },
});

/**
 * The product's semantic colors. Correct is teal, partly correct indigo, incorrect orange; recording and destructive actions are red.
 * `--icon-…`: lightness and chroma of drawn set icons, which add their own hue. Every `-text` keeps 4.5:1 on the page, on cards and on its own `-tint`.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--content-width': '1120px',
    '--form-width': '640px',
    '--reading-width': '68ch',
    '--header-height': '64px',
  },
  light: {
    '--mantine-color-body': '#f8fafc',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-3)',
    '--mantine-color-error': '#b34700',
    '--surface': '#ffffff',
    '--surface-sunken': '#f1f5f9',
    '--border': 'var(--mantine-color-gray-3)',
    '--correct-text': '#0b7261',
    '--correct-fill': '#0ca678',
    '--correct-tint': '#e3f7f0',
    '--incorrect-text': '#a84300',
    '--incorrect-fill': '#f08c2e',
    '--incorrect-tint': '#fff1e2',
    '--partly-text': '#3849c4',
    '--partly-tint': '#eaeefe',
    '--recording': '#d92d20',
    '--recording-text': '#b42318',
    '--recording-tint': '#feeceb',
    '--mantine-color-orange-light': 'var(--incorrect-tint)',
    '--mantine-color-orange-light-color': 'var(--incorrect-text)',
    '--mantine-color-red-light': 'var(--recording-tint)',
    '--mantine-color-red-light-color': 'var(--recording-text)',
    '--mantine-color-teal-light': 'var(--correct-tint)',
    '--mantine-color-teal-light-color': 'var(--correct-text)',
    '--icon-ground': '0.93 0.045',
    '--icon-figure': '0.5 0.13',
  },
  dark: {
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': '#ffb070',
    '--surface': 'var(--mantine-color-dark-6)',
    '--surface-sunken': 'var(--mantine-color-dark-8)',
    '--border': 'var(--mantine-color-dark-4)',
    '--correct-text': '#5eddb8',
    '--correct-fill': '#20c997',
    '--correct-tint': '#10322f',
    '--incorrect-text': '#ffb070',
    '--incorrect-fill': '#f08c2e',
    '--incorrect-tint': '#3a2717',
    '--partly-text': '#b3c0fd',
    '--partly-tint': '#232c52',
    '--recording': '#f97066',
    '--recording-text': '#fda29b',
    '--recording-tint': '#3f1d20',
    '--mantine-color-orange-light': 'var(--incorrect-tint)',
    '--mantine-color-orange-light-color': 'var(--incorrect-text)',
    '--mantine-color-red-light': 'var(--recording-tint)',
    '--mantine-color-red-light-color': 'var(--recording-text)',
    '--mantine-color-teal-light': 'var(--correct-tint)',
    '--mantine-color-teal-light-color': 'var(--correct-text)',
    '--icon-ground': '0.33 0.06',
    '--icon-figure': '0.82 0.1',
  },
});
