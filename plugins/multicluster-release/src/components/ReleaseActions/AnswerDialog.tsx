import { useState } from 'react';
import FormControl from '@material-ui/core/FormControl';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormHelperText from '@material-ui/core/FormHelperText';
import FormLabel from '@material-ui/core/FormLabel';
import Radio from '@material-ui/core/Radio';
import RadioGroup from '@material-ui/core/RadioGroup';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { actionReason } from '../../text';
import { FactsForm, type FactsProps } from './FactsDialog';
import { PlanDiff } from './PlanDiff';
import { useReview } from './useReview';

export type Answer = 'approve' | 'reject';

interface AnswerDialogProps extends Omit<FactsProps, 'action' | 'full' | 'label'> {
  /** Chosen at first. */
  answer: Answer;
}

/** A question to people: what it is about, and both answers in one place. */
export function AnswerDialog({ answer, ...others }: AnswerDialogProps) {
  const { release } = others.details;
  const { text } = useTexts();
  const [chosen, setChosen] = useState(answer);
  const reviews = { approve: useReview('approve', release), reject: useReview('reject', release) };
  const review = reviews[chosen];
  return (
    <FactsForm {...others} action={chosen} label={text(`action.${chosen}`)} review={review}>
      <PlanDiff service={release.service} planHash={review.planHash} />
      <AnswerChoice release={release} answer={chosen} onAnswer={setChosen} />
    </FactsForm>
  );
}

const ANSWERS = [
  ['approve', 'dialog.confirmApprove'],
  ['reject', 'dialog.confirmReject'],
] as const;

/** Who may give only one of the answers reads why. */
function AnswerChoice(props: {
  release: ReleaseView;
  answer: Answer;
  onAnswer: (answer: Answer) => void;
}) {
  const { release, answer, onAnswer } = props;
  const texts = useTexts();
  const { text } = texts;
  const denied = ANSWERS.map(([name]) => release.actions[name]).find(({ allowed }) => !allowed);
  return (
    <FormControl component="fieldset" margin="normal">
      <FormLabel component="legend">{text('dialog.answer')}</FormLabel>
      <RadioGroup
        row
        value={answer}
        onChange={event => onAnswer(event.target.value === 'reject' ? 'reject' : 'approve')}
      >
        {ANSWERS.map(([name, label]) => (
          <FormControlLabel
            key={name}
            value={name}
            disabled={!release.actions[name].allowed}
            control={<Radio color="primary" />}
            label={text(label)}
          />
        ))}
      </RadioGroup>
      {denied && <FormHelperText>{actionReason(denied, release, texts)}</FormHelperText>}
    </FormControl>
  );
}
