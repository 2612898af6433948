// SPDX-License-Identifier: Apache-2.0
// Errors, the plugin itself, events and execute contexts.
#include "pjrt/abi/plugin.h"

#include <memory>

#include "configs/base/version.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/completion.h"
#include "pjrt/core/named_values.h"

namespace understudy::pjrt {

// Frameworks pass one back with each launch; nothing of it is used here.
class ExecuteContext {};

namespace {

void error_destroy(abi::ErrorDestroyArgs& args) { delete args.error; }
void error_message(abi::ErrorMessageArgs& args) {
  give_text(args.error->failure->message, args.message, args.message_size);
}
// The functions of errors must not fail: their own error could not be read.
void error_get_code(abi::ErrorGetCodeArgs& args) { args.code = args.error->failure->code; }
// An error has its text alone: there is nothing to visit.
void error_payloads(abi::ErrorForEachPayloadArgs& /*args*/) {}

void plugin_initialize(abi::PluginInitializeArgs& /*args*/) {}

void plugin_attributes(abi::PluginAttributesArgs& args) {
  static const std::unique_ptr<NamedValues> kAttributes = [] {
    auto values = std::make_unique<NamedValues>();
    values->add("xla_version", std::int64_t{2});
    // By this `understudy preflight` knows that it is no TPU compiler.
    values->add("understudy_version", std::string(version()));
    // Frameworks write programs for this version: what the reader has been tested with.
    values->add("stablehlo_current_version", std::vector<std::int64_t>{1, 13, 0});
    values->add("stablehlo_minimum_version", std::vector<std::int64_t>{0, 9, 0});
    values->add_flag("supports_executable_serialization", true);
    values->add_flag("supports_cross_host_transfers", false);
    return values;
  }();
  args.attributes = kAttributes->data();
  args.num_attributes = kAttributes->size();
}

void event_destroy(abi::EventDestroyArgs& args) { delete args.event; }
void event_is_ready(abi::EventIsReadyArgs& args) {
  args.is_ready = args.event->completion()->ready();
}
// Reports the event's failure as its own error.
void raise(const FailureRef& failure) {
  if (failure != nullptr) throw Refusal(failure);
}
// Asking before the event is ready is a mistake of the caller; waiting here could deadlock it.
void event_error(abi::EventErrorArgs& args) {
  const CompletionRef& completion = args.event->completion();
  if (!completion->ready()) throw Refusal(abi::kFailedPrecondition, "the event is not ready yet");
  raise(completion->failure());
}
void event_await(abi::EventAwaitArgs& args) {
  // A copy: another thread may destroy the event while this one waits.
  const CompletionRef completion = args.event->completion();
  raise(completion->wait());
}
void event_on_ready(abi::EventOnReadyArgs& args) {
  // The C API gives the callback ownership of the error, so each callback gets an object of its
  // own.
  args.event->completion()->then(
      [callback = args.callback, user = args.user_arg](const FailureRef& failure) {
        callback(failure == nullptr ? nullptr : new ErrorHandle{failure}, user);
      });
}
// An event that the framework itself sets, for its own asynchronous work.
void event_create(abi::EventCreateArgs& args) {
  args.event = new Event(std::make_shared<Completion>());
}
void event_set(abi::EventSetArgs& args) {
  args.event->completion()->set(
      args.error_code == abi::kOk
          ? nullptr
          : make_failure(args.error_code,
                         std::string(args.error_message, args.error_message_size)));
}

void context_create(abi::ExecuteContextCreateArgs& args) { args.context = new ExecuteContext; }
void context_destroy(abi::ExecuteContextDestroyArgs& args) { delete args.context; }

}  // namespace

void add_plugin(abi::Api& api) {
  using enum abi::Slot;
  set<error_destroy>(api, Error_Destroy);
  set<error_message>(api, Error_Message);
  set<error_get_code>(api, Error_GetCode);
  set<error_payloads>(api, Error_ForEachPayload);
  set<plugin_initialize>(api, Plugin_Initialize);
  set<plugin_attributes>(api, Plugin_Attributes);
  set<event_destroy>(api, Event_Destroy);
  set<event_is_ready>(api, Event_IsReady);
  set<event_error>(api, Event_Error);
  set<event_await>(api, Event_Await);
  set<event_on_ready>(api, Event_OnReady);
  set<event_create>(api, Event_Create);
  set<event_set>(api, Event_Set);
  set<context_create>(api, ExecuteContext_Create);
  set<context_destroy>(api, ExecuteContext_Destroy);
}

}  // namespace understudy::pjrt
