# Minimises by ask and tell: Rscript minimize.R surefoot_r.so (surefoot_r.c says how that is made).
dyn.load(commandArgs(trailingOnly = TRUE)[1])

minimize <- function(f, x0, sigma0, ...) {
  search <- .Call("surefoot_new", as.double(x0), as.double(sigma0))
  options <- list(...)
  for (name in names(options)) .Call("surefoot_set", search, name, as.character(options[[name]]))
  while (.Call("surefoot_stop", search) == 0) {
    population <- .Call("surefoot_ask", search)
    .Call("surefoot_tell", search, as.double(apply(population, 2, f)))
  }
  .Call("surefoot_result", search)
}

sphere <- function(x) {
  total <- 0
  for (xi in x) total <- total + xi * xi
  total
}

best <- minimize(sphere, c(3, 3, 3), 2, ftarget = 1e-8, seed = 1)
cat(best$message, "\n", sep = "")
cat(sprintf("f = %.16e after %d evaluations\n", best$value, as.integer(best$evaluations)))

refusal <- tryCatch(minimize(sphere, 0, 1, popsize = "many"), error = conditionMessage)
stopifnot(grepl("popsize = 'many' is not allowed: it must be an integer", refusal, fixed = TRUE))
