/* A program of its own, because a process takes its zone from TZ when it starts. */
import { readFileSync } from 'node:fs';
import { windowVerdict } from '../windows';

const { windows, instants } = JSON.parse(readFileSync(0, 'utf8'));
const verdicts = instants.map((instant: number) => windowVerdict(windows, instant));
process.stdout.write(JSON.stringify({ offset: new Date(0).getTimezoneOffset(), verdicts }));
