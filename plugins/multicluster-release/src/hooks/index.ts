export { useNow } from './useNow';
export { usePolled, type Polled, type PollOptions } from './usePolled';
export { useReleaseDetails, type ReleaseDetails } from './useReleaseDetails';
export { useReleaseHistory, type ReleaseHistoryAnswer } from './useReleaseHistory';
export { useReleaseHint, type ReleaseHint } from './useReleaseHint';
export { useServiceSummary } from './useServiceSummary';
export { useTexts } from './useTexts';
export { useToast, type Toast } from './useToast';
export { useViewState, type ViewState } from './useViewState';
