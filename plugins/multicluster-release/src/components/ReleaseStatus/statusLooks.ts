import type { ElementType } from 'react';
import Autorenew from '@material-ui/icons/Autorenew';
import CheckCircleOutline from '@material-ui/icons/CheckCircleOutline';
import ErrorOutline from '@material-ui/icons/ErrorOutline';
import HelpOutline from '@material-ui/icons/HelpOutline';
import HourglassEmpty from '@material-ui/icons/HourglassEmpty';
import PauseCircleOutline from '@material-ui/icons/PauseCircleOutline';
import RadioButtonUnchecked from '@material-ui/icons/RadioButtonUnchecked';
import SkipNext from '@material-ui/icons/SkipNext';
import Stop from '@material-ui/icons/Stop';
import Undo from '@material-ui/icons/Undo';
import type { StatusKey } from 'backstage-plugin-multicluster-release-common';

interface StatusLook {
  /** At least 4.7:1 on #F8F8F8 and on white. */
  light: string;
  /** At least 4.7:1 on #424242 and on #333. */
  dark: string;
  icon: ElementType;
}

const GREY = { light: '#5F6368', dark: '#BDBDBD' };

/** Backstage's own status colours are too weak to read, hence a palette of our own. */
export const STATUS_LOOKS: Record<StatusKey, StatusLook> = {
  done: { light: '#1B7F3B', dark: '#71CF88', icon: CheckCircleOutline },
  running: { light: '#1F5493', dark: '#7ABAF9', icon: Autorenew },
  waiting: { light: '#8A5A00', dark: '#FFB84D', icon: HourglassEmpty },
  pending: { ...GREY, icon: RadioButtonUnchecked },
  paused: { light: '#6A3FA0', dark: '#C9A6F5', icon: PauseCircleOutline },
  stopped: { ...GREY, icon: Stop },
  failed: { light: '#B3152A', dark: '#FF959A', icon: ErrorOutline },
  rolledBack: { light: '#9A3B00', dark: '#FFA873', icon: Undo },
  skipped: { ...GREY, icon: SkipNext },
  unknown: { ...GREY, icon: HelpOutline },
};
