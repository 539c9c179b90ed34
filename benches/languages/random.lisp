;;; Runs (random n) of SBCL: reads `id n calls`, prints `id n outcome word ...`. A copy of the state is stepped by words
;;; of 32 bits until it is equal to the state after the call. For n above 2^32, two of these words are printed as one.
(defun same (a b)
  (equalp (sb-kernel::random-state-state a) (sb-kernel::random-state-state b)))

(loop for id = (read *standard-input* nil)
      while id
      do (let* ((n (read)) (calls (read))
                (real (sb-ext:seed-random-state 12345))
                (twin (make-random-state real)))
           (dotimes (call calls)
             (format t "~(~a~) ~d ~d" id n (random n real))
             (loop until (same twin real)
                   do (let ((high (sb-kernel::random-chunk twin)))
                        (format t " ~d" (if (<= n (expt 2 32))
                                            high
                                            (+ (ash high 32) (sb-kernel::random-chunk twin))))))
             (terpri))))
