export { WaitingSentence } from './WaitingSentence';
