//! The end of all open orders, before controllers act again that could only observe.

use std::sync::Arc;

use async_graphql::Result;

use super::{decided, host_refused};
use crate::host::role::ROLE;
use crate::hosts::EndOfOrders;
use crate::request::Request;
use crate::write_handle::WriteHandle;

/// Ends the orders that are open: those that touched nothing at once, the others when controllers have followed the step
/// that is at work to its end.
///
/// # Errors
/// Returns the reason for which an order cannot be ended. Orders may be ended then, and nothing else is changed.
pub async fn end_orders(request: &Request, handle: &WriteHandle) -> Result<()> {
    loop {
        let batch = decided(handle, Arc::new(EndOfOrders::new(ROLE)), None);
        let answer = handle.write(batch).await.map_err(|it| host_refused(&it))?;
        request.wrote(&answer);
        if answer.outcomes.is_empty() {
            return Ok(());
        }
        if let Some(refusal) = answer.outcomes.iter().find_map(|outcome| outcome.error.as_ref()) {
            return Err(host_refused(refusal));
        }
    }
}
