// A state of the model as it may be looked at: now, or before the last step. Views get every value through one.
#pragma once
#include <memory>

#include "app/measures/registry/registry.h"
#include "app/views/frame/derived.h"

namespace hydra {

class Source {
 public:
  // All that it is made of must outlive it.
  Source(const Moment& moment, Derived& its_derived, Measures& measures)
      : document(moment.document), trace(*moment.trace), derived(its_derived), moment_(moment), measures_(measures) {}

  const Document& document;
  const Trace& trace;  // may be a moment older than the document
  Derived& derived;
  Stamp stamp() const { return moment_.stamp; }  // of the document: undo brings it back

  // Asks for it in this frame, and gives the newest there is, with its trace and how it stands.
  template <class M>
  const Measured<M>& measured(const typename M::Wanted& wanted) const {
    return measures_.get<M>(wanted);
  }
  // In this frame what there is of it is not left, though nobody asks.
  template <class M>
  void hold() const {
    measures_.hold<M>();
  }
  // Of what a user starts.
  template <class M>
  const Measured<M>& started() const {
    return measures_.started<M>();
  }
  // What was measured of this state and is kept; null: nothing. Asks for nothing.
  template <class M>
  std::shared_ptr<const typename M::Result> known(const typename M::Wanted& wanted) const {
    return measures_.known<M>(moment_, wanted);
  }

 private:
  Moment moment_;
  Measures& measures_;
};

}  // namespace hydra
