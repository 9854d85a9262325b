import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

// Pages are loaded lazily, and the machines that run all suites at once are
// busy: what is waited for may take long, what never comes still fails.
configure({ asyncUtilTimeout: 20_000 });
jest.setTimeout(90_000);
