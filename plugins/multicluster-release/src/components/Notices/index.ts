export { FaultList } from './FaultList';
export { LiveAnnouncer } from './LiveAnnouncer';
export { LoadingSkeleton } from './LoadingSkeleton';
export { Notice } from './Notice';
export { LOCATION_ANNOTATION, NotSetUp } from './NotSetUp';
export { PageNotices } from './PageNotices';
export { ProblemPanel } from './ProblemPanel';
